import { t } from '../lib/i18n';
import { Select } from './Picker';

export interface CountryOption {
  iso: string;
  name: string;
  area_code: string;
}
interface CountryProps {
  countries: readonly CountryOption[];
  value: string | undefined;
  onValue: (iso: string) => void;
  label: string;
  name?: string;
  /** Shows the dial code, as a prefix of a phone field. */
  dial?: boolean;
}

export function CountryPicker({ countries, value, onValue, label, name, dial = false }: CountryProps) {
  const chosen = countries.find((country) => country.iso === value);
  return (
    <Select
      label={label}
      name={name}
      bare={dial}
      searchable
      value={value}
      onValue={onValue}
      placeholder={dial ? '+' : t('ui.choose')}
      shown={dial && chosen ? `+${chosen.area_code}` : undefined}
      options={countries.map((country) => ({
        value: country.iso,
        label: country.name,
        aside: dial ? `+${country.area_code}` : undefined,
        search: `${country.name} ${country.iso} +${country.area_code}`,
      }))}
    />
  );
}
