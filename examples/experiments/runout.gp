# Run-out of columns against their aspect ratio, beside Staron and Hinch (2005): 2.5 a up to a = 2, 3.25 a^0.7 above.
#
#   saltus study column-runout.toml; saltus study column-runout-small.toml
#   gnuplot -e "table='column-runout/column-runout.csv'; small='column-runout-small/column-runout-small.csv'; \
#     figure='column-runout.svg'" runout.gp
#
# Prints, for each table, the exponent fitted above a = 2 and the differences to the reference from a = 1 on.
set datafile separator ','
set fit quiet logfile '/dev/null'
set key autotitle columnheader
reference(a) = a <= 2 ? 2.5*a : 3.25*a**0.7
power(a) = factor*a**exponent
reach(right, left) = 0.5*(right + left)
ratio(a, r) = a < 0.9 ? NaN : r/reference(a) - 1
do for [name in table.' '.small] {
  factor = 3.0; exponent = 0.7
  fit power(x) name using (column('mean_height') > 2.1 ? column('mean_height') : NaN):(reach(column('right'), column('left'))) \
    via factor, exponent
  stats name using (ratio(column('mean_height'), reach(column('right'), column('left')))) name 'OFF' nooutput
  print sprintf("%s: exponent %.2f (reference 0.70), run-out %+.0f to %+.0f %% of the reference from a = 1 on", \
    name, exponent, 100*OFF_min, 100*OFF_max)
}
if (exists("figure")) {
  set terminal svg size 720,480 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key top left
  set logscale xy
  set xlabel 'aspect ratio'; set ylabel 'run-out (R - R0)/R0'
  set xrange [0.4:11]
  plot reference(x) with lines lw 2 title 'Staron and Hinch (2005)', \
    table using (column('mean_height')):(reach(column('right'), column('left'))) with points pt 7 title 'R0 = 15 diameters', \
    small using (column('mean_height')):(reach(column('right'), column('left'))) with points pt 6 title 'R0 = 7.5 diameters'
}
