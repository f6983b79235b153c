# Run-out of columns against their aspect ratio, beside Staron and Hinch (2005): 2.5 a up to a = 2, 3.25 a^0.7 above.
#
#   saltus study column-runout.toml; saltus study column-runout-small.toml
#   gnuplot -e "table='column-runout/column-runout.csv'; small='column-runout-small/column-runout-small.csv'; \
#     figure='column-runout.svg'" runout.gp
#
# Prints for each table a, run-out, reference and their difference, and the exponent fitted above a = 2.
set datafile separator ','
set fit quiet errorvariables logfile '/dev/null'
set key autotitle columnheader
reference(a) = a <= 2 ? 2.5*a : 3.25*a**0.7
power(a) = factor*a**exponent
aspect(dummy) = 2*column('centre')/column('half_width')  # the mean height over R0
runout(dummy) = (column('right') - column('left') - 2*column('half_width'))/(2*column('half_width'))
do for [name in table.' '.small] {
  factor = 3.0; exponent = 0.7
  fit power(x) name using (aspect(0) > 2.1 ? aspect(0) : NaN):(runout(0)) via factor, exponent
  set table $rows
  plot name using (aspect(0)):(runout(0)):(reference(aspect(0))):(100*(runout(0)/reference(aspect(0)) - 1)) with table
  unset table
  print name, ': aspect ratio, run-out, reference, difference in %'
  print $rows
  print sprintf("exponent above 2: %.2f +- %.2f (reference 0.70)", exponent, exponent_err)
}
if (exists("figure")) {
  set terminal svg size 720,480 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key top left
  set logscale xy
  set xlabel 'aspect ratio'; set ylabel 'run-out (R - R0)/R0'
  set xrange [0.4:11]
  plot reference(x) with lines lw 2 title 'Staron and Hinch (2005)', \
    table using (aspect(0)):(runout(0)) with points pt 7 title '5000 grains', \
    small using (aspect(0)):(runout(0)) with points pt 6 title '1250 grains'
}
