export { getEmailConfig } from './get-email-config.ts'
export { listEmails } from './list-emails.ts'
export { updateEmailConfig } from './update-email-config.ts'
