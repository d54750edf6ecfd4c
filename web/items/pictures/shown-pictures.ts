/** Addresses of pictures that the gallery has shown: the viewer shows them first, because the browser has cached them. */

const maxRemembered = 400
const addresses = new Map<number, string>()

/** Remembers the address of an item's picture; forgets the oldest of more than 400. */
export function rememberPicture(itemId: number, address: string): void {
  addresses.delete(itemId)
  addresses.set(itemId, address)
  const [oldest] = addresses.keys()
  if (addresses.size > maxRemembered && oldest !== undefined) addresses.delete(oldest)
}

/** Address of the item's picture that the gallery showed last; undefined if it showed none. */
export const rememberedPicture = (itemId: number): string | undefined => addresses.get(itemId)
