# Macroscopic against local angle of friction, means of the samples with the least and the most, for tables of the biaxial study:
#
#   saltus study biaxial-friction.toml; saltus study biaxial-friction-1024.toml
#   gnuplot -e "tables='biaxial-friction/biaxial-friction.csv biaxial-friction-1024/biaxial-friction-1024.csv'; \
#     figure='biaxial-friction.svg'" friction.gp
#
# Prints for each table and angle: phi at the peak (mean, least, most) and change of volume (mean, least, most; %), the largest
# penetration over the smallest radius (%), and the least and most steps that missed the tolerance.
radius = 0.65e-3
angles = '2 5 10 15 20 30 40 50'
set datafile separator ','
set key autotitle columnheader
only(angle, value) = column('angle') == angle ? value : NaN
do for [i=1:words(tables)] {
  name = word(tables, i)
  eval sprintf("set print $means%d", i)
  print "angle,mean,least,most,volume,volume_least,volume_most,penetration,missed_least,missed_most,samples"
  do for [angle in angles] {
    stats name using (only(angle + 0, column('phi'))) name 'PHI' nooutput
    stats name using (only(angle + 0, column('volume_strain'))) name 'V' nooutput
    stats name using (only(angle + 0, column('penetration'))) name 'P' nooutput
    stats name using (only(angle + 0, column('unconverged'))) name 'U' nooutput
    print sprintf("%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.3f,%d,%d,%d", angle, PHI_mean, PHI_min, PHI_max, 100*V_mean, \
      100*V_min, 100*V_max, 100*P_max/radius, U_min, U_max, PHI_records)
  }
  set print
  print name
  eval sprintf("print $means%d", i)
}
if (exists("figure")) {
  set terminal svg size 720,480 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key bottom right
  set xrange [0:54]; set yrange [0:35]
  set xlabel 'angle of friction between disks, degrees'; set ylabel 'angle of friction of the sample at the peak, degrees'
  plot $means1 using (column('angle') - 0.3):(column('mean')):(column('least')):(column('most')) with yerrorbars pt 7 \
      title '256 disks: mean, least and most', \
    $means2 using (column('angle') + 0.3):(column('mean')):(column('least')):(column('most')) with yerrorbars pt 6 \
      title '1024 disks'
}
