# A full-screen list as htop draws it: figures, a header bar, a chosen row, a bar of keys. j moves down, q ends it.
rows=15
at=1
bar() { printf '\033[%d;1H\033[%sm%-80s\033[m' "$1" "$2" "$3"; }
draw() {
  printf '\033[H\033[2J  CPU[|||||     31.0%%]   Tasks: 42\r\n  Mem[||||||  1.2G/3.8G]   Load: 0.10\r\n'
  bar 4 '30;42' '  PID USER      CPU% Command'
  row=1
  while [ $row -le $rows ]; do
    text=$(printf '%5d user      %3d.0 program-%d' $((100 + row)) $row $row)
    if [ $row -eq $at ]; then bar $((4 + row)) '30;46' "$text"; else printf '\033[%d;1H%s' $((4 + row)) "$text"; fi
    row=$((row + 1))
  done
  printf '\033[24;1HF1\033[30;46mHelp  \033[mF9\033[30;46mKill  \033[mF10\033[30;46mQuit  \033[m'
}
stty -echo -icanon
printf '\033[?1049h\033[?25l\033[?1000h\033[?1006h'
draw
while key=$(dd bs=1 count=1 2>/dev/null); [ "$key" != q ]; do
  [ "$key" = j ] && at=$((at + 1)) && draw
done
printf '\033[?1006l\033[?1000l\033[?25h\033[?1049l'
