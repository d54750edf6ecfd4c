/**
 * The animation in which a card's picture grows into the viewer, and back; only where the browser has view transitions
 * and motion is not reduced.
 */
import { prefersReducedMotion } from '../../kit/viewport.ts'

const transitionName = 'opened-picture'
/** Milliseconds to wait for the target, which may need code that is still loading. Until then the page does not change. */
const maxWaitMs = 250

/** Resolves to the element once `find` finds it; to null if it does not appear in time. */
async function waitForElement(find: () => HTMLElement | null): Promise<HTMLElement | null> {
  const { promise, resolve } = Promise.withResolvers<HTMLElement | null>()
  const resolveIfFound = () => {
    const found = find()
    if (found !== null) resolve(found)
  }
  const observer = new MutationObserver(resolveIfFound)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  const timer = setTimeout(() => resolve(null), maxWaitMs)
  resolveIfFound()
  try {
    return await promise
  } finally {
    observer.disconnect()
    clearTimeout(timer)
  }
}

/** Calls `act`, and animates the change from the element `from` to the one that `to` finds afterwards. */
export function growPicture(from: HTMLElement | null, act: () => void, to: () => HTMLElement | null): void {
  if (from === null || prefersReducedMotion() || typeof document.startViewTransition !== 'function') {
    act()
    return
  }
  from.style.viewTransitionName = transitionName
  let target: HTMLElement | null = null
  const transition = document.startViewTransition(async () => {
    from.style.viewTransitionName = ''
    act()
    target = await waitForElement(to)
    if (target !== null) target.style.viewTransitionName = transitionName
  })
  const end = () => {
    if (target !== null) target.style.viewTransitionName = ''
  }
  // It rejects if another transition starts or the page is hidden, which is no error.
  transition.ready.catch(() => {})
  transition.finished.then(end, end)
}
