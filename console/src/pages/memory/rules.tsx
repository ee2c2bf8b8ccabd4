import { t } from '../../strings.ts'
import { To } from '../browse-links.tsx'

interface QuotedRule {
  sourceId: string
  ruleId?: string | null
  /** Where it stands, as a link says it. */
  name: string
  category?: string | null
  text: string
}

/** Rules with the way to the source of each. */
export const Rules = ({ rules }: { rules: QuotedRule[] }) => (
  <ul className="plain">
    {rules.map(({ sourceId, ruleId, name, category, text }, index) => (
      <li key={ruleId ?? `${sourceId} ${index}`} className="judgment">
        <p className="told">{text}</p>
        <p className="muted">
          <To page="/memory" search={{ view: 'knowledge', source: sourceId }} label={name || t.knowledge.one} />
          {category && ` · ${category}`}
        </p>
      </li>
    ))}
  </ul>
)
