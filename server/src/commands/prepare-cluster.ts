import { freshCluster } from '../platform/db/embedded-snapshot.ts'

// At installation, so that the first start finds the files of the embedded database prepared.
await freshCluster()
