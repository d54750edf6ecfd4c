/** The part of the service worker API that `service-worker.ts` uses and that pages do not have. */
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
