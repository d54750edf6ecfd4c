/** A global admin's choice of the map for everybody. */
import { api } from '../api.ts'
import { succeeds } from '../app/messages.ts'

/** Chooses; the page starts again, as it may only load pictures from servers that it was allowed when it was loaded. */
export async function chooseGround(source: 'builtin' | 'openstreetmap'): Promise<void> {
  await succeeds('Failed to choose the map', async () => {
    await api.system.setMap({ body: { source } })
    location.reload()
  })
}
