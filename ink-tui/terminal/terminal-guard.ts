/** Gives the terminal back for a process that cannot do so any more: killed, or ended by a fault in native code. */

const esc = '\u001b'

/** CAN first: what was being drawn may have ended within a sequence. Nothing here harms a terminal that is as it was. */
const back = `\u0018${esc}[0m${esc}[?2026l${esc}[?2004l${esc}[?7h${esc}[?1049l${esc}[?25h`

/**
 * A shell that reads words from us, and knows that we are gone when there are no more. In the background it may neither be
 * stopped for setting the terminal nor end with us. $1: the terminal's settings, $2: what gives the screen back.
 */
const script = `
trap '' INT QUIT TSTP TTOU TTIN HUP TERM
taken=1
while IFS= read -r word; do
  case $word in
    taken) taken=1 ;;
    given) taken= ;;
    *) exit 0 ;;
  esac
done
[ -n "$taken" ] || exit 0
printf %s "$2"
[ -z "$1" ] || stty "$1" <&1
`

/** Settings of the terminal as `stty` takes them again; '' where there is no stty. Asked before anything is changed. */
function settingsNow(): string {
  try {
    const asked = Bun.spawnSync(['stty', '-g'], { stdio: ['inherit', 'pipe', 'ignore'] })
    return asked.success ? asked.stdout.toString().trim() : ''
  } catch {
    return ''
  }
}

/** A guard of the process's own terminal. Where it cannot be had, it guards nothing. */
export function createTerminalGuard() {
  const settings = settingsNow()
  let child: Bun.Subprocess<'pipe', 'inherit', 'ignore'> | null = null
  let isOver = false

  function say(word: string) {
    try {
      child?.stdin.write(`${word}\n`)
      // At once: the process may be about to end.
      child?.stdin.flush()
    } catch {
      // It was killed: there is nobody to tell.
    }
  }

  return {
    /** Once the terminal is ours; at the first time the guard begins. */
    taken() {
      if (isOver) return
      if (child !== null) return say('taken')
      try {
        child = Bun.spawn(['/bin/sh', '-c', script, 'keepsake-terminal', settings, back], {
          stdio: ['pipe', 'inherit', 'ignore'],
          cwd: '/',
        })
        child.unref()
      } catch {
        // No shell, or no more processes.
      }
    },
    /** The terminal is the shell's for a while. */
    given: () => say('given'),
    /** It is given back for good. */
    end() {
      if (isOver) return
      isOver = true
      say('end')
    },
  }
}
