/** Starts the page. */
import { createRoot } from 'react-dom/client'
import { type BaseLocationHook, Router } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { go } from './app/address.ts'
import { App } from './app.tsx'
import { startRealtime } from './realtime.ts'
import { startState } from './shell/start.ts'

/** Links go where everything else goes: past the steps of open layers. */
const useAddress: BaseLocationHook = () => [
  usePathname(),
  (to, { replace = false }: { replace?: boolean } = {}) => go(to, { replace }),
]

async function start(): Promise<void> {
  const place = document.getElementById('app')
  if (place === null) throw new Error('the page has no place for the app')
  await startState()
  createRoot(place).render(
    <Router hook={useAddress}>
      <App />
    </Router>,
  )
  startRealtime()
}

// Not awaited here: the bundler keeps what a waiting entry shares with later parts in a file for each.
void start()

// Where the browser allows it (https, or this machine), the page opens without the server too.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {})
