import { addExample, completeExample } from '../../src/example/fill-example.ts'
import { newWorkspace, type Service, type TestWorkspace } from '../running-service.ts'

/** A workspace that holds the example of a first start, whole. */
export async function newExample(service: Service): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  const tenant = { workspaceId: ws.id, apiKey: ws.apiKey }
  await addExample(service.app, tenant)
  await completeExample(service.app, tenant)
  return ws
}
