# What the biaxial test depends on: differences from the same sample at the shortest step and the smallest tolerance, for the
# table of the study:
#
#   saltus study biaxial-accuracy.toml
#   gnuplot -e "table='biaxial-accuracy/biaxial-accuracy.csv'; figure='biaxial-accuracy.svg'" accuracy.gp
#
# Prints for each step and tolerance, over the samples: mean angle from 0.008 s on (mean, least, most), angle at the peak, change
# of volume (%), neighbours, largest penetration over the smallest radius (%), steps that missed the tolerance (%), CPU (s).
radius = 0.65e-3
steps = '0.00008 0.00004 0.00002 0.00001'
tolerances = '0.01 0.001 0.0001 0.00001'
set datafile separator ','
set key autotitle columnheader
only(h, tolerance, value) = abs(column('h')/h - 1) < 1e-6 && abs(column('tolerance')/tolerance - 1) < 1e-6 ? value : NaN
set print $means
print "h,tolerance,phi,phi_least,phi_most,peak,volume,neighbours,penetration,missed,cpu"
do for [h in steps] {
  do for [tolerance in tolerances] {
    stats table using (only(h + 0, tolerance + 0, column('phi_mean'))) name 'PHI' nooutput
    stats table using (only(h + 0, tolerance + 0, column('phi_peak'))) name 'PEAK' nooutput
    stats table using (only(h + 0, tolerance + 0, column('volume_strain'))) name 'V' nooutput
    stats table using (only(h + 0, tolerance + 0, column('coordination'))) name 'Z' nooutput
    stats table using (only(h + 0, tolerance + 0, column('penetration'))) name 'P' nooutput
    stats table using (only(h + 0, tolerance + 0, column('unconverged')/column('steps'))) name 'U' nooutput
    stats table using (only(h + 0, tolerance + 0, column('cpu'))) name 'C' nooutput
    print sprintf("%s,%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.4f,%.1f,%.1f", h, tolerance, PHI_mean, PHI_min, PHI_max, PEAK_mean, \
      100*V_mean, Z_mean, 100*P_max/radius, 100*U_mean, C_mean)
  }
}
set print
print $means
if (exists("figure")) {
  set terminal svg size 900,420 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'
  set multiplot layout 1,2
  set logscale x; set format x '%.0e'; set xrange [6e-6:1.2e-4]
  set xlabel 'step h, s'; set ylabel 'mean angle of friction, degrees'; set key top left; set yrange [10:32]
  same(tolerance, value) = abs(column('tolerance')/tolerance - 1) < 1e-6 ? value : NaN
  plot for [i=1:4] $means using (column('h')*(0.91 + 0.036*i)):(same(word(tolerances, i) + 0, column('phi'))):(column('phi_least')):(column('phi_most')) \
    with yerrorbars pt 7 ps 0.6 title sprintf('tolerance %s m/s', word(tolerances, i))
  set logscale y; set format y '%.0e'; set yrange [1e-4:1e3]
  set ylabel 'largest penetration, % of the smallest radius'; set key top left
  plot for [i=1:4] $means using (column('h')):(same(word(tolerances, i) + 0, column('penetration'))) \
    with points pt 7 ps 0.8 title sprintf('tolerance %s m/s', word(tolerances, i))
  unset multiplot
}
