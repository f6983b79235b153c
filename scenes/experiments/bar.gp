# The figures of the impacting bar in docs/schemes.md, of the tables that scripts/scheme_figures leaves in the working folder. The
# force of the wall is the change of the momentum of the bar: nodes of 0.05 kg, half of that at the ends.
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,420 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'time, s'
names = "moreau newmark hht alpha-0.8"
titles = "'Moreau-Jean, theta 1/1.8' 'Newmark, gamma 1' 'HHT, gamma 1' 'gen.-alpha, rho 0.8'"
table(i) = sprintf('bar-%s.csv', word(names, i))
v(k) = column(sprintf('bar.v@%d', k))
momentum(n) = 0.05*((sum [k=1:n-1] v(k)) + 0.5*(v(0) + v(n)))
set output 'scheme-bar-position.svg'
set ylabel 'displacement of the end that touches, m'
plot for [i=1:4] table(i) using "time":"bar.q@0" with lines lw 1.5 lc i title word(titles, i)
set output 'scheme-bar-velocity.svg'
set ylabel 'velocity of the end that touches, m/s'
plot for [i=1:4] table(i) using "time":"bar.v@0" with lines lw 1.5 lc i title word(titles, i)
set output 'scheme-bar-force.svg'
set ylabel 'force of the wall, N'
set yrange [-50:450]
plot for [i=1:4] last = NaN table(i) using "time":(p = momentum(200), f = (p - last)/2e-3, last = p, f) \
  with lines lw 1.5 lc i title word(titles, i), 300 with lines dt 2 lc rgb '#888888' title 'exact'
set yrange [*:*]
set output 'scheme-bar-energy.svg'
set ylabel 'total energy, J'
plot for [i=1:4] table(i) using "time":(column("energy.kinetic") + column("energy.elastic_stored")) \
  with lines lw 1.5 lc i title word(titles, i)
