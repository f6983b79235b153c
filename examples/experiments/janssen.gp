# Fits Janssen's law for a plane silo, s = rho g D/(2 mu K) (1 - exp(-2 mu K z/D)), to a profile of the vertical stress:
#
#   saltus plot silo.h5 profile.stress.yy profile.solid_fraction --mean --from 0.9 --out silo-profile.csv
#   gnuplot -e "profile='silo-profile.csv'; figure='silo.svg'" janssen.gp
#
# width (D, m) and density (of the grains, kg/m3) are those of silo.toml unless given. Prints mu K and the rms error.
if (!exists("width")) width = 0.16
if (!exists("density")) density = 2000.0
set datafile separator ','
set fit quiet logfile '/dev/null'
stats profile using (strcol(1) eq 'profile.stress.yy' ? $2 : NaN) name 'PLACE' nooutput
top = PLACE_max + 0.5*(PLACE_max - PLACE_min)/(PLACE_records - 1)
stats profile using (strcol(1) eq 'profile.solid_fraction' ? $3 : NaN) name 'SOLID' nooutput
weight = density*SOLID_mean*9.81
muK = 0.2
s(z) = weight*width/(2*muK)*(1 - exp(-2*muK*z/width))
fit s(x) profile using (strcol(1) eq 'profile.stress.yy' ? top - $2 : NaN):3 via muK
stats profile using (strcol(1) eq 'profile.stress.yy' ? $3 : NaN) name 'STRESS' nooutput
print sprintf("mu K = %.3f, rms error %.1f %% of the mean stress; %.0f Pa at the floor, %.0f Pa by weight alone", \
  muK, 100*FIT_STDFIT/STRESS_mean, s(top), weight*top)
if (exists("figure")) {
  set terminal svg size 720,480 font 'sans,13' background '#ffffff'
  set output figure
  set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key top left
  set xlabel 'depth, m'; set ylabel 'vertical stress, Pa'
  set xrange [0:top]; set yrange [0:*]
  plot profile using (strcol(1) eq 'profile.stress.yy' ? top - $2 : NaN):3 with points pt 7 title 'mean of the run', \
    s(x) with lines lw 2 title sprintf('Janssen, mu K = %.3f', muK), weight*x with lines dt 2 title 'weight alone'
}
