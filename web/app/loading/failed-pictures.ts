/** Reloads failed pictures anywhere on the page when the server is back. */
import { checkServer, onRecovery } from './recovery.ts'

const failed = new Set<HTMLImageElement>()

export function startPictureRecovery(): void {
  // 'error' and 'load' do not bubble, so listen in the capture phase.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLImageElement)) return
      for (const one of failed) if (!one.isConnected) failed.delete(one)
      failed.add(target)
      checkServer()
    },
    true,
  )
  document.addEventListener('load', ({ target }) => target instanceof HTMLImageElement && failed.delete(target), true)
  onRecovery(() => {
    for (const image of failed) {
      const { src } = image
      image.src = src
    }
    failed.clear()
  })
}
