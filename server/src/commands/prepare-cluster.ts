import { freshCluster } from '../platform/db/embedded-snapshot.ts'

// At installation, so that the first start need not make the embedded database's files from nothing.
await freshCluster()
