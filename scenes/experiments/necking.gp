# Load and radius of the neck against the elongation of the bar (docs/solids.md).
#   gnuplot -e "table='...csv'; figure='...svg'" necking.gp
set datafile separator ','
set datafile columnheaders
set terminal svg size 640,420 font 'sans,13' background '#ffffff'
set border 11; set tics nomirror; set y2tics; set grid lc rgb '#dddddd'; set key bottom left
set xlabel 'elongation, mm'
set ylabel 'load, kN'; set yrange [0:90]
set y2label 'radius of the neck over that of the bar'; set y2range [0:1.125]
set output figure
plot table using (14*column("time")):(column("pull.support_y")/1e3) with lines lw 2 title 'load', \
     table using (14*column("time")):((6.35e-3 + column("neck.q@16"))/6.413e-3) axes x1y2 with lines lw 2 title 'radius', \
     78.173 with lines dt 2 lc rgb '#555555' title 'largest load after Considere'
