import type { ReactNode } from 'react'
import { t } from '../../strings.ts'
import { CheckField, TextField } from '../../ui/filters.tsx'
import { OnOff, setOrNot } from '../../ui/settings-panel.tsx'

/** In which form a webhook sends its payloads. */
export interface PayloadForm {
  encodeData: boolean
  encryptData: boolean
  publicKey: string
  enableDataProtection: boolean
}

export const payloadFacts = (form: PayloadForm): [string, ReactNode][] => [
  [t.payload.encode, <OnOff key="encode" isOn={form.encodeData} />],
  [t.payload.encrypt, <OnOff key="encrypt" isOn={form.encryptData} />],
  [t.payload.publicKey, setOrNot(form.publicKey)],
  [t.payload.protect, <OnOff key="protect" isOn={form.enableDataProtection} />],
]

export const PayloadFields = ({ form }: { form: PayloadForm }) => (
  <>
    <CheckField label={t.payload.encode} name="encodeData" checked={form.encodeData} />
    <CheckField label={t.payload.encrypt} name="encryptData" checked={form.encryptData} />
    <TextField label={t.payload.publicKey} name="publicKey" rows={4} value={form.publicKey} />
    <CheckField label={t.payload.protect} name="enableDataProtection" checked={form.enableDataProtection} />
  </>
)

/** The form that these fields hold. */
export const payloadOf = (values: Record<string, string>): PayloadForm => ({
  encodeData: values.encodeData === 'on',
  encryptData: values.encryptData === 'on',
  publicKey: values.publicKey ?? '',
  enableDataProtection: values.enableDataProtection === 'on',
})
