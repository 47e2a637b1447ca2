# A box on a blue ground as dialog draws it: one entry and one button are chosen, each in the middle of a row.
stty -echo -icanon
printf '\033[?1049h\033[44m\033[2J\033[?25l'
at() { printf '\033[%d;%dH\033[%sm%s' "$1" "$2" "$3" "$4"; }
row=6
while [ $row -le 16 ]; do at $row 20 '30;47' '                                        '; row=$((row + 1)); done
at 7 22 '30;47' 'Choose what to install:'
at 9 24 '30;47' 'base      the system'
at 10 24 '37;41' 'desktop   windows and menus'
at 11 24 '30;47' 'server    programs that serve'
at 14 28 '37;41' '< OK >'
at 14 44 '30;47' '< Cancel >'
printf '\033[m'
dd bs=1 count=1 >/dev/null 2>&1
