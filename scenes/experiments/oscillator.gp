# The figures of the two-ball oscillator in docs/schemes.md, of the tables that scripts/scheme_figures leaves in the working folder.
set datafile separator ','
set datafile columnheaders
set terminal svg size 760,420 font 'sans,13' background '#ffffff'
set border 3; set tics nomirror; set grid lc rgb '#dddddd'; set key outside right top
set xlabel 'time, s'
names = "moreau newmark hht alpha-0.8 alpha-1"
titles = "'Moreau-Jean, theta 1' 'Newmark, gamma 1' 'HHT, gamma 1' 'gen.-alpha, rho 0.8' 'gen.-alpha, rho 1'"
table(i) = sprintf('oscillator-%s.csv', word(names, i))
# The last is dashed, over the one before: by and by they differ, at first not.
dashes(i) = i == 5 ? 2 : 1
colour(i) = i == 5 ? 8 : i
set output 'scheme-oscillator-position.svg'
set ylabel 'heights of the balls, m (the upper one + 1)'
plot for [i=1:5] table(i) using "time":"balls.q@0" with lines lw 1.5 lc colour(i) dt dashes(i) title word(titles, i), \
  for [i=1:5] table(i) using "time":(column("balls.q@1") + 1) with lines lw 1.5 lc colour(i) dt dashes(i) notitle
set output 'scheme-oscillator-velocity.svg'
set ylabel 'velocities, m/s (of the upper ball + 15)'
set xrange [0.4:1.4]; set xtics 0.2
plot for [i=1:5] table(i) using "time":"balls.v@0" with lines lw 1.5 lc colour(i) dt dashes(i) title word(titles, i), \
  for [i=1:5] table(i) using "time":(column("balls.v@1") + 15) with lines lw 1.5 lc colour(i) dt dashes(i) notitle
set xrange [*:*]; set xtics autofreq
set output 'scheme-oscillator-energy.svg'
set ylabel 'total energy, J'
set yrange [0:22]
total(k, e, a, b) = k + e + 10*(a + b)
plot for [i=1:5] table(i) using "time":(total(column("energy.kinetic"), column("energy.elastic_stored"), \
  column("balls.q@0"), column("balls.q@1"))) with lines lw 1.5 lc colour(i) dt dashes(i) title word(titles, i)
