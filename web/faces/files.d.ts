/** Addresses known to the build: of the worker that finds faces, and of the folder with its models. */
declare const faceWorker: string
declare const faceFiles: string
