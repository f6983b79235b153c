# Fits Janssen's law for a plane silo, s = rho g D/(2 mu K) (1 - exp(-2 mu K z/D)), to a profile of the vertical stress:
#
#   saltus plot silo.h5 profile.stress.yy profile.solid_fraction --mean --from 0.9 --out silo-profile.csv
#   gnuplot -e "profile='silo-profile.csv'; figure='silo.svg'" janssen.gp
#
# width (D, m) and density (of the grains, kg/m3) are those of silo.toml unless given. Prints mu K and the rms error.
# The region of the profile is at rest and begins at the floor.
if (!exists("width")) width = 0.16
if (!exists("density")) density = 2000.0
set datafile separator ','
set fit quiet logfile '/dev/null'
is(name) = strcol(1) eq name
stats profile using (is('profile.solid_fraction') ? $2 : NaN):3 name 'SOLID' nooutput
bin = (SOLID_max_x - SOLID_min_x)/(SOLID_records - 1)
bulk = SOLID_median_y
top = SOLID_min_x - 0.5*bin + SOLID_sum_y*bin/bulk  # of the same grains, packed like the middle of the silo up to a flat surface
weight = density*bulk*9.81
muK = 0.2
s(z) = weight*width/(2*muK)*(1 - exp(-2*muK*z/width))
inside(place) = place + 0.5*bin < top  # slices that the surface cuts are left out
fit s(x) profile using (is('profile.stress.yy') && inside($2) ? top - $2 : NaN):3 via muK
stats profile using (is('profile.stress.yy') && inside($2) ? $3 : NaN) name 'STRESS' nooutput
print sprintf("mu K = %.3f, rms error %.1f %% of the mean stress; %.0f Pa at the floor, %.0f Pa by weight alone", \
  muK, 100*FIT_STDFIT/STRESS_mean, s(top), weight*top)
if (exists("figure")) {
  set terminal svg size 720,480 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key top left
  set xlabel 'depth, m'; set ylabel 'vertical stress, Pa'
  set xrange [0:top]; set yrange [0:*]
  plot profile using (is('profile.stress.yy') && inside($2) ? top - $2 : NaN):3 with points pt 7 title 'mean of the run', \
    s(x) with lines lw 2 title sprintf('Janssen, mu K = %.3f', muK), weight*x with lines dt 2 title 'weight alone'
}
