/** Reports when React has rendered an update, which may take a while on a busy machine. */
import { type ReactNode, useEffect, useState } from 'react'

export class Renders {
  #asked = 0
  #waiting: { turn: number; done: () => void }[] = []
  #render = (_turn: number): void => {}

  /** Resolves when all earlier updates are rendered and their effects have run. */
  readonly next = (): Promise<void> =>
    new Promise(done => {
      this.#waiting.push({ turn: ++this.#asked, done })
      this.#render(this.#asked)
    })

  /** `render` renders a turn together with other updates, and then calls `reached`. */
  mounted(render: (turn: number) => void): void {
    this.#render = render
    render(this.#asked)
  }

  reached(turn: number): void {
    for (const one of this.#waiting) if (one.turn <= turn) one.done()
    this.#waiting = this.#waiting.filter(one => one.turn > turn)
  }
}

/** Wraps all other components: effects of children run before those of their parent. */
export function Rendered({ renders, children }: { renders: Renders; children: ReactNode }): ReactNode {
  const [turn, setTurn] = useState(0)
  useEffect(() => renders.mounted(setTurn), [renders])
  useEffect(() => renders.reached(turn), [renders, turn])
  return children
}
