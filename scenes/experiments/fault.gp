# Sliding velocity along the fault against depth, and the ratio of inertia to internal forces (docs/solids.md).
#   gnuplot -e "sliding='...csv'; inertia='...csv'; figures='fault'" fault.gp
set datafile separator ','
set terminal svg size 560,420 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key off
set output figures . '-sliding.svg'
set xlabel 'sliding velocity over that of the left edge'
set ylabel 'depth below the surface at the start, km'
set yrange [10:-1]; set xrange [0:*]
plot sliding using ($3/0.33e-10):(10 - $2/1e3) with linespoints pt 7 lw 2
set output figures . '-inertia.svg'
set xlabel 'time, years'
set ylabel 'inertia over internal forces, worst of 10 steps'
set yrange [*:*]; set xrange [0:*]; set logscale y; set format y '%.0e'
plot inertia using ($2/31557600):3 every ::2 with lines lw 2
