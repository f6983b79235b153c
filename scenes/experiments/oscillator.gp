# The figures of the two-ball oscillator in docs/schemes.md, of the tables that scripts/scheme_figures leaves in the working folder.
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,420 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'time, s'
names = "moreau newmark hht alpha-0.8 alpha-1"
titles = "'Moreau-Jean, theta 1' 'Newmark, gamma 1' 'HHT, gamma 1' 'gen.-alpha, rho 0.8' 'gen.-alpha, rho 1'"
table(i) = sprintf('oscillator-%s.csv', word(names, i))
set output 'scheme-oscillator-position.svg'
set ylabel 'height of the lower ball, m'
plot for [i=1:5] table(i) using "time":"balls.q@0" with lines lw 1.5 lc i title word(titles, i)
set output 'scheme-oscillator-velocity.svg'
set ylabel 'velocity of the lower ball, m/s'
set xrange [0.4:1.4]
plot for [i=1:5] table(i) using "time":"balls.v@0" with lines lw 1.5 lc i title word(titles, i)
set xrange [*:*]
set output 'scheme-oscillator-energy.svg'
set ylabel 'total energy, J'
set yrange [0:22]
total(k, e, a, b) = k + e + 10*(a + b)
plot for [i=1:5] table(i) using "time":(total(column("energy.kinetic"), column("energy.elastic_stored"), \
  column("balls.q@0"), column("balls.q@1"))) with lines lw 1.5 lc i title word(titles, i)
