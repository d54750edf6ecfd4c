/** Opens a database, which migrates it; a test kills it at a system call. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { startMark } from './crash.ts'

const path = process.argv[2] ?? ''
// Marks the end of the program's start in the trace.
mkdirSync(join(dirname(path), startMark))
openDatabase(path, { waiting: terminalWaiting, clock: systemClock }).close()
