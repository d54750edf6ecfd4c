/** `import path from '….wasm' with { type: 'file' }` returns the path of the file, inside the executable too. */
declare module '*.wasm' {
  const path: string
  export default path
}
