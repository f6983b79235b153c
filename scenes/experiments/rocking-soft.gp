# Angles of a rigid and of a viscoelastic block that rock (docs/solids.md).
#   gnuplot -e "table='...csv'; figure='...svg'" rocking-soft.gp
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,380 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'time, s'
set ylabel 'angle, rad'
set output figure
# Of the soft block: from the middle of its lower side to that of its upper one, 2 m apart and turned by -0.1 rad at rest.
along = 2*sin(0.1); up = 2*cos(0.1)
plot table using "time":"rigid.angle" with lines lw 2 title 'rigid', \
     table using "time":(-atan2(along + column("soft.q@182") - column("soft.q@6"), \
       up + column("soft.q@183") - column("soft.q@7"))) with lines lw 2 title 'viscoelastic'
