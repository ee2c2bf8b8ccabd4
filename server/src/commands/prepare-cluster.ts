import { prepareDatabase } from '../prepared-database.ts'

// At installation, so that a first start finds the files of the embedded database prepared.
await prepareDatabase()
