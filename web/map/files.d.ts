/** Addresses that the build knows: of files that are fetched when they are needed, and of the worker's program. */
declare module '*.css' {
  const address: string
  export default address
}

declare const clusterWorker: string
declare const worldAtlas: string
