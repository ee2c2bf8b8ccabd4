import { watchEndOfFile } from './at-end-of-file.ts'

watchEndOfFile()
