/** What a service worker has that a page has not, as far as `service-worker.ts` needs it. */
interface WorkerEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface WorkerFetchEvent extends WorkerEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface Window {
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
}

interface WindowEventMap {
  install: WorkerEvent
  activate: WorkerEvent
  fetch: WorkerFetchEvent
}
