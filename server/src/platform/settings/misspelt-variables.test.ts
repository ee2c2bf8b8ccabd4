import { expect, test } from 'vitest'
import { variables } from '../environment.ts'
import { misspeltVariables } from './misspelt-variables.ts'

const settings = Object.keys(variables.properties)

const meantBy = (...names: string[]) =>
  misspeltVariables(Object.fromEntries(names.map((name) => [name, 'value'])), settings).map(({ meant }) => meant)

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['DATA_DRI', 'DATA_DIR'],
  ['SECRET_KEY', 'SECRET_KEYS'],
  ['SERCET_KEYS', 'SECRET_KEYS'],
  ['PROT', 'PORT'],
  ['HSOT', 'HOST'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['WORKSPACES_CREATE', 'WORKSPACE_CREATE'],
  ['OUTBOUND_ALOW', 'OUTBOUND_ALLOW'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
])('%s is taken for %s', (name, meant) => expect(meantBy(name)).toEqual([meant]))

test('unrelated variables are not warned of', () => {
  const usual = `PATH HOME HOSTNAME HOSTTYPE PWD OLDPWD USER LOGNAME SHELL LANG LC_ALL TERM TZ EDITOR MAIL TMPDIR DISPLAY
    PS1 SHLVL _ NODE_ENV NODE_OPTIONS NODE_VERSION NPM_TOKEN CI DEBUG PORTS PGHOST PGPORT PGDATABASE PGUSER PGPASSWORD
    TEST_DATABASE TEST_DATABASE_URL PRECEDENT_URL PRECEDENT_API_KEY REDIS_URL HTTP_PROXY NO_PROXY HTTP_URL SMTP_HOST
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT LOG_FORMAT POSTGRES_HOST DATA XDG_DATA_DIRS SECRET_KEY_BASE POST COST ROLES
    npm_config_loglevel npm_config_cache npm_lifecycle_event npm_package_json INIT_CWD COLOR`
  expect(meantBy(...usual.split(/\s+/))).toEqual([])
})

test('a setting is not taken for another, and none that is set is meant', () => {
  expect(meantBy(...settings)).toEqual([])
  for (const name of settings) expect([name, ...meantBy(name)]).toEqual([name])
  expect(meantBy('DATABSE_URL', 'DATABASE_URL')).toEqual([])
})
