/** Is a picture of the screen saver there to be shown, or is the server away? */
import type { Item } from '../../schema/api/items.ts'
import { base, pictureOf } from '../api.ts'

function loads(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const image = new Image()
  image.onload = () => resolve(true)
  image.onerror = () => resolve(false)
  image.src = address
  return promise
}

async function isServerThere(): Promise<boolean> {
  try {
    // Whatever it answers, it is there.
    await fetch(`${base.peek()}/config/runtime.json`, { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/**
 * 'away': it cannot be shown now, and nobody can say whether it is broken. A picture that is broken while the server is
 * there is 'ready' too: its place tells so.
 */
export async function readiness(item: Item): Promise<'ready' | 'away'> {
  if (item.type === 'image' && (await loads(pictureOf(item, 'large')))) return 'ready'
  return (await isServerThere()) ? 'ready' : 'away'
}
