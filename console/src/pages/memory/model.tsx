import { t } from '../../strings.ts'
import { Named } from '../../ui/show.tsx'

/** The embedding model, or that there is none. */
export const Model = ({ model }: { model: string | null | undefined }) =>
  model ? (
    <Named name={model.startsWith('builtin-') ? t.memory.builtinModel : undefined} raw={model} />
  ) : (
    t.memory.noModel
  )
