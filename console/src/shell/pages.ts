import { t } from '../strings.ts'

/** The pages in the order of the navigation. Each is loaded when it is opened. */
export const PAGES = [
  { path: '/start', ...t.start, load: () => import('../pages/start.tsx') },
  { path: '/threads', ...t.threads, load: () => import('../pages/threads.tsx') },
  { path: '/activity', ...t.activity, load: () => import('../pages/activity.tsx') },
  { path: '/recordings', ...t.recordings, load: () => import('../pages/recordings/recordings.tsx') },
  { path: '/deliveries', ...t.deliveries, load: () => import('../pages/deliveries.tsx') },
  { path: '/endpoints', ...t.endpoints, load: () => import('../pages/endpoints.tsx') },
  { path: '/memory', ...t.memory, load: () => import('../pages/memory.tsx') },
  { path: '/browse', ...t.browse, load: () => import('../pages/browse.tsx') },
  { path: '/access', ...t.access, load: () => import('../pages/access.tsx') },
  { path: '/people', ...t.people, load: () => import('../pages/people.tsx') },
  { path: '/notifications', ...t.notifications, load: () => import('../pages/notifications.tsx') },
  { path: '/email', ...t.email, load: () => import('../pages/email.tsx') },
  { path: '/keys', ...t.keys, load: () => import('../pages/keys.tsx') },
  { path: '/operator', ...t.operator, load: () => import('../pages/operator.tsx') },
]

/** The page that an address without one leads to. */
export const HOME = '/start'

/** The pages that show one organization. */
export const OF_ORGANIZATION: readonly string[] = [
  '/threads',
  '/activity',
  '/recordings',
  '/access',
  '/people',
  '/notifications',
]
