/** The only module that loads ONNX Runtime: lazily, because it is native code, and with its telemetry disabled. */
import { dlopen } from 'bun:ffi'
import { reasonOf } from '../../../schema/errors.ts'

export type Onnx = typeof import('onnxruntime-node')

/** ONNX Runtime reads this variable from the environment of the process, which JavaScript cannot change. */
const telemetryVariable = 'ORT_DISABLE_TELEMETRY'
/** Environment for child processes that load ONNX Runtime. */
export const withoutTelemetry = { [telemetryVariable]: '1' }

const libraries: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['libc.so.6', 'libc.so'],
  darwin: ['libSystem.B.dylib'],
}

const cString = (text: string) => Buffer.from(`${text}\0`)

/**
 * Disables telemetry. Since 1.29 the builds for Linux and macOS report every opened session to Microsoft, and store an
 * id of the machine in the cache; the variable must be in the environment before the library is loaded. Throws if it
 * cannot be set. (On Windows the library only writes to the system's own trace.)
 */
function disableTelemetry(): void {
  if (process.platform === 'win32') return
  for (const name of libraries[process.platform] ?? []) {
    try {
      const { symbols } = dlopen(name, {
        setenv: { args: ['cstring', 'cstring', 'i32'], returns: 'i32' },
        getenv: { args: ['cstring'], returns: 'cstring' },
      })
      symbols.setenv(cString(telemetryVariable), cString('1'), 1)
      if (String(symbols.getenv(cString(telemetryVariable))) === '1') return
    } catch {
      // Try the next library.
    }
  }
  throw new Error('its telemetry could not be disabled')
}

let loaded: Promise<Onnx> | undefined

async function load(): Promise<Onnx> {
  try {
    disableTelemetry()
    return await import('onnxruntime-node')
  } catch (error) {
    const machine = `${process.platform} ${process.arch}`
    // The other lines are the paths of the modules that import it.
    const [why = ''] = reasonOf(error).split('\n')
    throw new Error(`ONNX Runtime does not run on this machine (${machine}): ${why}`)
  }
}

/** Throws if this machine has no native code, if it does not load, or if telemetry can't be disabled. */
export function loadOnnx(): Promise<Onnx> {
  loaded ??= load()
  return loaded
}

/** One thread per session: several pictures are processed in parallel instead. Only errors are logged. */
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const

export async function openOnnx(onnx: Onnx, bytes: Uint8Array) {
  const session = await onnx.InferenceSession.create(bytes, sessionOptions)
  const [input = ''] = session.inputNames
  const [metadata] = session.inputMetadata
  return {
    /** Shape of the first input; sides of variable length count as 1. */
    inputShape: metadata?.isTensor ? metadata.shape.map(side => (typeof side === 'number' && side > 0 ? side : 1)) : [],
    outputs: session.outputNames,
    /** Returns all outputs, in the order of `outputs`. */
    async run(numbers: Float32Array, shape: readonly number[]): Promise<Float32Array[]> {
      const results = await session.run({ [input]: new onnx.Tensor('float32', numbers, [...shape]) })
      return session.outputNames.map(name => {
        const data = results[name]?.data
        if (!(data instanceof Float32Array)) throw new Error(`the output ${name} has no numbers of 32 bits`)
        return data
      })
    },
  }
}
