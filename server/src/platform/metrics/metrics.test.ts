import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('what was counted and measured is rendered for Prometheus', async () => {
  const metrics = createMetrics()
  metrics.httpRequests.inc({ operation: 'addUsers', status: 200 })
  metrics.httpDuration.observe({ operation: 'addUsers' }, 0.02)
  metrics.jobsProcessed.inc({ job: 'sendEmail', outcome: 'done' })
  metrics.unembeddedChanges.set(1.5)
  metrics.deliveries.inc({ outcome: 'delivered' }, 2)
  const { contentType, text } = await metrics.render()
  expect(contentType).toMatch(/^text\/plain; version=/)
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'http_requests_total{operation="addUsers",status="200"} 1',
      'http_request_duration_seconds_bucket{le="0.01",operation="addUsers"} 0',
      'http_request_duration_seconds_bucket{le="0.025",operation="addUsers"} 1',
      'jobs_processed_total{job="sendEmail",outcome="done"} 1',
      'judgment_changes_unembedded 1.5',
      'deliveries_total{outcome="delivered"} 2',
      expect.stringMatching(/^process_resident_memory_bytes \d/),
    ]),
  )
})

test('two services in one process count for themselves', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.deliveries.inc({ outcome: 'delivered' })
  expect((await other.render()).text).not.toContain('deliveries_total{')
})
