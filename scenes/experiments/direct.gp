# The figure of Newmark's scheme applied to a gap in docs/schemes.md, of the table that scripts/scheme_figures leaves in the working folder.
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,360 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'where in its step the mass arrives, parts of h'
set ylabel 'velocity after the impact, m/s'
set yrange [0:3.2]
set output 'scheme-direct.svg'
plot 'direct.csv' using "phase":"direct" with lines lw 1.5 lc 2 title 'Newmark on the gap', \
  'direct.csv' using "phase":"newmark" with points pt 7 ps 0.6 lc 4 title 'newmark, e = 0.5'
