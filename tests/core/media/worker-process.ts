/** A decode worker's process for tests, without the command line around it. */
import { runDecodeWorker } from '../../../core/media/decode/decode-worker.ts'

await runDecodeWorker()
