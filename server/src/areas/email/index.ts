export { getEmailConfig } from './get-email-config.ts'
export { updateEmailConfig } from './update-email-config.ts'
