/** Whether a picture of the screen saver can be shown, or the server is down. */
import { base } from '../api.ts'
import type { Shot } from '../items/selection/slideshow.ts'

function loads(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const image = new Image()
  image.onload = () => resolve(true)
  image.onerror = () => resolve(false)
  image.src = address
  return promise
}

const isServerThere = () =>
  fetch(`${base.peek()}/config/runtime.json`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** 'away' means that the server is down. With the server up, a broken picture is 'ready': its placeholder is shown. */
export async function readiness(item: Shot): Promise<'ready' | 'away'> {
  if (item.type === 'image' && (await loads(item.picture))) return 'ready'
  return (await isServerThere()) ? 'ready' : 'away'
}
