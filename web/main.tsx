/** Starts the page. */
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startRealtime } from './realtime.ts'
import { startState } from './state/start.ts'

const place = document.getElementById('app')
if (place === null) throw new Error('the page has no place for the app')
await startState()
createRoot(place).render(<App />)
startRealtime()

// Where the browser allows it (https, or this machine), the page opens without the server too.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {})
