import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { repository } from '../architecture/source.ts'

const run = promisify(execFile)
const CHART = join(repository, 'deploy/helm/precedent')
const SECRET = ['--set', 'secretName=precedent']

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}

interface Container {
  args: string[]
  env: { name: string; value: string }[]
  envFrom: unknown
  securityContext: unknown
  readinessProbe?: unknown
  livenessProbe?: unknown
}

interface Pod {
  serviceAccountName?: string
  automountServiceAccountToken: boolean
  securityContext: Record<string, unknown>
  containers: [Container]
}

function isInstalled(): boolean {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function render(...values: string[]): Promise<Manifest[]> {
  const { stdout } = await run('helm', ['template', 'demo', CHART, ...values])
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? [])
}

const podsOf = (manifests: Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ spec }) => (spec.template as { spec: Pod }).spec)

const named = (manifests: Manifest[], kind: string) =>
  manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)

describe.skipIf(!isInstalled())('the Helm chart', { timeout: 60_000 }, () => {
  test('has nothing that `helm lint` warns of', async () => {
    const { stdout } = await run('helm', ['lint', '--strict', CHART, ...SECRET])
    expect(stdout).toContain('0 chart(s) failed')
  })

  test('renders what the schemas of Kubernetes accept', async () => {
    const manifests = await render(...SECRET, '--set', 'ingress.enabled=true', '--set', 'ingress.tlsSecretName=tls')
    for (const manifest of manifests) {
      const models = await import(`kubernetes-models/${manifest.apiVersion}`)
      expect(() => new models[manifest.kind](manifest).validate()).not.toThrow()
    }
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Deployment',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
  })

  test('runs the API and the workers apart, and the migrations before them', async () => {
    const manifests = await render(...SECRET)
    expect(named(manifests, 'Deployment')).toEqual(['demo-precedent-api', 'demo-precedent-worker'])
    const roles = podsOf(manifests).map(({ containers: [{ args, env }] }) => [
      args[0],
      env.find(({ name }) => name === 'ROLE')?.value,
    ])
    expect(roles).toEqual([
      ['serve', 'api'],
      ['serve', 'worker'],
      ['migrate', undefined],
    ])
    const job = manifests.find(({ kind }) => kind === 'Job')
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
  })

  test('runs every pod without root, on a root that it cannot write, without the API of the cluster', async () => {
    for (const pod of podsOf(await render(...SECRET))) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
      expect(pod.containers[0].securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  test('asks every process whether it is ready and alive', async () => {
    const manifests = (await render(...SECRET)).filter(({ kind }) => kind === 'Deployment')
    for (const { containers } of podsOf(manifests)) {
      expect(containers[0].readinessProbe).toMatchObject({ httpGet: { path: '/readyz' } })
      expect(containers[0].livenessProbe).toMatchObject({ httpGet: { path: '/healthz' } })
    }
  })

  test('takes secrets from a Secret of yours, and lets only the operator create workspaces', async () => {
    for (const { containers } of podsOf(await render(...SECRET, '--set', 'settings.LOG_LEVEL=warn'))) {
      expect(containers[0].envFrom).toEqual([{ secretRef: { name: 'precedent' } }])
      expect(containers[0].env).toContainEqual({ name: 'WORKSPACE_CREATE', value: 'token' })
      expect(containers[0].env).toContainEqual({ name: 'LOG_LEVEL', value: 'warn' })
    }
  })

  test.each([
    ['no Secret is named', [], /secretName: name a Secret with DATABASE_URL/],
    ['a secret stands among the settings', [...SECRET, '--set', 'settings.SECRET_KEYS=x'], /SECRET_KEYS/],
    ['a value is unknown', [...SECRET, '--set', 'replicas=3'], /replicas/],
  ])('is not rendered when %s', async (_, values, message) => {
    await expect(render(...values)).rejects.toThrow(message)
  })
})
