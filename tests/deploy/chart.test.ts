import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '@seatwise/server'
import { SECRET } from '@seatwise/testbench'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { CASES, type Case, renderedFile, sourceLine, valuesFile } from './chart/render-chart.ts'

const chart = join(import.meta.dirname, '../../deploy/helm')
type Dictionary = Readonly<Record<string, unknown>>
const read = (file: string): Dictionary => parse(readFileSync(file, 'utf8')) as Dictionary

/** What the Secret of an operator has. */
const OF_SECRET = {
  DATABASE_URL: 'postgres://seatwise@postgres/seatwise',
  REDIS_URL: 'redis://valkey:6379',
  SEATWISE_SECRET: SECRET,
  SEATWISE_ADMIN_EMAIL: 'admin@example.com',
  SEATWISE_ADMIN_PASSWORD: 'correct horse battery staple',
  SEATWISE_STRIPE_KEY: 'sk_test_1',
  SEATWISE_STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

interface Container {
  readonly image: string
  readonly args?: readonly string[]
  readonly securityContext: Dictionary
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
}

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly securityContext: Dictionary
    readonly volumes: readonly { readonly name: string }[]
    readonly terminationGracePeriodSeconds?: number
    readonly containers: readonly [Container]
  }
}

interface Rendered {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: Dictionary & { readonly template: Template }
}

const objectsOf = (name: Case): Rendered[] =>
  parseAllDocuments(readFileSync(renderedFile(name), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Rendered
  })

const only = (objects: readonly Rendered[], kind: string): Rendered => {
  const found = objects.filter((object) => object.kind === kind)
  expect(found, kind).toHaveLength(1)
  return found[0] as Rendered
}

describe('the chart', () => {
  const accepts = new Ajv({ strict: false }).compile(read(join(chart, 'values.schema.json')) as object)
  const defaults = read(join(chart, 'values.yaml'))

  it('[Y37] refuses values that are missing or misspelt, and secrets that Helm would keep', () => {
    for (const name of CASES) expect(accepts({ ...defaults, ...read(valuesFile(name)) }), name).toBe(true)
    const plain = { ...defaults, ...read(valuesFile('plain')) }
    const refused: readonly Dictionary[] = [
      defaults,
      { ...plain, publicUrl: 'http://tickets.example.com' },
      { ...plain, trustedProxy: '10.0.0.0/8' },
      { ...plain, autoscaling: { enable: true } },
      { ...plain, settings: { SEATWISE_SECRET: SECRET } },
      // Helm writes a million as 1e+06.
      { ...plain, settings: { SEATWISE_SOCKETS_MAX: 1_000_000 } },
    ]
    for (const values of refused) expect(accepts(values), JSON.stringify(values)).toBe(false)
    const { version } = JSON.parse(readFileSync(join(chart, '../../package.json'), 'utf8')) as { version: string }
    expect(read(join(chart, 'Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })

  it.each(CASES)(
    '[Y37] %s: what was rendered is of the chart as it is; else run node tests/deploy/chart/render-chart.ts',
    (name) => {
      expect(readFileSync(renderedFile(name), 'utf8').split('\n', 1)).toEqual([sourceLine(name)])
    },
  )

  it.each(CASES)(
    '[Y37] %s: servers and migration have no rights, write nowhere but to /tmp, and have valid settings',
    (name) => {
      const objects = objectsOf(name)
      for (const kind of ['Deployment', 'Job']) {
        const { metadata, spec } = only(objects, kind).spec.template
        expect(metadata.labels['app.kubernetes.io/name']).toBe('seatwise')
        expect(spec.automountServiceAccountToken).toBe(false)
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 })
        const [container] = spec.containers
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.volumeMounts).toEqual([{ name: 'temporary', mountPath: '/tmp' }])
        expect(spec.volumes.map((volume) => volume.name)).toEqual(['temporary'])
        expect(container.envFrom).toEqual([{ secretRef: { name: 'seatwise' } }])
        const env = Object.fromEntries(container.env.map(({ name: key, value }) => [key, value]))
        const config = readConfig({ ...OF_SECRET, ...env })
        expect(config).toMatchObject({ mode: 'distributed', publicUrl: 'https://tickets.example.com' })
        expect(config.trustedProxies.length).toBeGreaterThan(0)
        if (kind === 'Deployment') {
          // Draining, then up to 20 s in which it finishes.
          expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(config.drainSeconds + 20)
        }
      }
      if (name === 'full') {
        const [container] = only(objects, 'Deployment').spec.template.spec.containers
        const env = Object.fromEntries(container.env.map(({ name: key, value }) => [key, value]))
        expect(env.SEATWISE_MAIL_FROM).toBe('Box office: "Aurora" <tickets@example.com>')
        expect(readConfig({ ...OF_SECRET, ...env })).toMatchObject({
          socketsMax: 1_000_000,
          payments: { provider: 'stripe' },
        })
        expect(container.image).toBe('registry.example.com/seatwise:0.2.1')
      }
    },
  )

  it.each(CASES)(
    '[Y37] %s: the migration runs before servers are replaced, and every selector finds its pods',
    (name) => {
      const objects = objectsOf(name)
      const migration = only(objects, 'Job')
      expect(migration.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
      const [container] = migration.spec.template.spec.containers
      // The image's entry point is the program; without arguments it serves.
      expect(container.args).toEqual(['migrate'])
      const [servers, job] = [only(objects, 'Deployment').spec.template, migration.spec.template]
      const finds = (selector: unknown, { metadata }: Template): boolean =>
        Object.entries(selector as Record<string, string>).every(([label, value]) => metadata.labels[label] === value)
      const labelsIn = (kind: string, field = 'selector'): unknown =>
        (only(objects, kind).spec[field] as { matchLabels: unknown }).matchLabels
      for (const kind of ['Deployment', 'PodDisruptionBudget']) {
        expect([finds(labelsIn(kind), servers), finds(labelsIn(kind), job)], kind).toEqual([true, false])
      }
      const service = only(objects, 'Service').spec
      expect([finds(service.selector, servers), finds(service.selector, job)]).toEqual([true, false])
      expect(service.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
      expect(servers.spec.containers[0].ports).toEqual([{ name: 'http', containerPort: 3000 }])
      const policy = labelsIn('NetworkPolicy', 'podSelector')
      expect([finds(policy, servers), finds(policy, job)]).toEqual([true, true])
    },
  )

  it('[Y37] it has what was asked for and nothing else, and an autoscaler alone decides how many servers there are', () => {
    const kinds = (name: Case): string[] =>
      objectsOf(name)
        .map(({ kind }) => kind)
        .toSorted()
    const always = ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
    expect(kinds('plain')).toEqual(always)
    expect(kinds('full')).toEqual([...always, 'HorizontalPodAutoscaler', 'Ingress', 'PodMonitor'].toSorted())
    expect(only(objectsOf('plain'), 'Deployment').spec.replicas).toBe(2)
    const full = objectsOf('full')
    expect(only(full, 'Deployment').spec.replicas).toBeUndefined()
    const autoscaler = only(full, 'HorizontalPodAutoscaler').spec
    expect(autoscaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'sale' })
    expect(autoscaler.metrics).toMatchObject([
      { external: { metric: { name: 'seatwise_waiting_tickets' }, target: { averageValue: '1000000' } } },
      { resource: { name: 'cpu' } },
    ])
    const [rule] = only(full, 'Ingress').spec.rules as [{ host: string }]
    expect(rule.host).toBe('tickets.example.com')
    // Nothing outside but stores and names, where no other port was given.
    const ports = (only(full, 'NetworkPolicy').spec.egress as { ports: { port: number }[] }[]).flatMap(
      (peer) => peer.ports,
    )
    expect(new Set(ports.map(({ port }) => port))).toEqual(new Set([53, 5432, 6379]))
  })
})
