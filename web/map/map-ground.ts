/** A global admin's choice of the base map, for everybody. */
import { api } from '../api.ts'
import { attempt } from '../app/messages.ts'
import { mapTexts } from '../texts/map.ts'

/** Saves the choice and reloads the page, because its Content-Security-Policy names the servers of map pictures. */
export async function setBaseMap(source: 'builtin' | 'openstreetmap'): Promise<void> {
  await attempt(mapTexts.failedToChooseTheMap, async () => {
    await api.system.setMap({ body: { source } })
    location.reload()
  })
}
