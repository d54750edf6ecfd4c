/** Addresses known to the build: the worker that finds faces, and the folder with its models. */
declare const faceWorker: string
declare const faceFiles: string
