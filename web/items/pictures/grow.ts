/** A picture grows into the viewer and back, where the browser has view transitions and motion is not reduced. */
import { prefersReducedMotion } from '../../kit/viewport.ts'

const name = 'opened-picture'
/** Milliseconds that the browser's last frame stays while the viewer's code is loaded. */
const patience = 250

/** Resolves to the element once it is there; null if it does not come in time. */
async function appeared(find: () => HTMLElement | null): Promise<HTMLElement | null> {
  const { promise, resolve } = Promise.withResolvers<HTMLElement | null>()
  const resolveIfFound = () => {
    const found = find()
    if (found !== null) resolve(found)
  }
  const observer = new MutationObserver(resolveIfFound)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  const timer = setTimeout(() => resolve(null), patience)
  resolveIfFound()
  try {
    return await promise
  } finally {
    observer.disconnect()
    clearTimeout(timer)
  }
}

/** Calls `act`, and shows how `from` becomes the element that `to` finds afterwards. */
export function grow(from: HTMLElement | null, act: () => void, to: () => HTMLElement | null): void {
  if (from === null || prefersReducedMotion() || typeof document.startViewTransition !== 'function') {
    act()
    return
  }
  from.style.viewTransitionName = name
  let target: HTMLElement | null = null
  const transition = document.startViewTransition(async () => {
    from.style.viewTransitionName = ''
    act()
    target = await appeared(to)
    if (target !== null) target.style.viewTransitionName = name
  })
  const end = () => {
    if (target !== null) target.style.viewTransitionName = ''
  }
  // Another transition, or a hidden page, ends this one; that is no error.
  transition.ready.catch(() => {})
  transition.finished.then(end, end)
}
