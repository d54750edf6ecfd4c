/** Addresses known to the build: of files that are loaded when needed, and of the worker's script. */
declare module '*.css' {
  const address: string
  export default address
}

declare const clusterWorker: string
declare const worldAtlas: string
