/** A global admin's choice of the base map for everybody. */
import { api } from '../api.ts'
import { succeeds } from '../app/messages.ts'

/** Saves the choice and reloads the page, which may only load pictures from servers allowed when it was loaded. */
export async function chooseGround(source: 'builtin' | 'openstreetmap'): Promise<void> {
  await succeeds('Failed to choose the map', async () => {
    await api.system.setMap({ body: { source } })
    location.reload()
  })
}
