/** Addresses known to the build: files that are loaded when needed, and the worker's script. */
declare module '*.css' {
  const address: string
  export default address
}

declare const clusterWorker: string
declare const worldAtlas: string
