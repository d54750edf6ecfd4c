/** A decode worker process for tests, without the command line. */
import { runDecodeWorker } from '../../../core/media/decode/decode-worker.ts'

await runDecodeWorker()
