# Force of the wall on a bar whose foot has mass, and on one whose foot has none (docs/flexible.md).
#   gnuplot -e "with='...csv'; without='...csv'; figure='...svg'" bar-force.gp
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,380 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'time, s'
set ylabel 'force on the wall, N'
set output figure
plot with using "time":(-column("wall.force_x")) with lines lw 1 lc 1 title 'consistent mass', \
     without using "time":(-column("wall.force_x")) with lines lw 2 lc 2 title 'redistributed', \
     300 with lines dt 2 lc rgb '#555555' title 'exact'
