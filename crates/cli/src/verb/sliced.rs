//! `auspex check --slice`: the slice first, the whole program where that does not decide.

use super::check::{self, Check};
use super::temporal;
use crate::exit::{self, Exit, Failure};
use crate::input::{Input, Program};
use crate::lf::{self, Loaded, Part};
use crate::{interrupt, output};
use auspex_report::{PropertyResult, Verdict};
use auspex_search::Control;
use std::sync::Arc;

pub fn start(check: &Check) -> Result<Exit, Failure> {
    let source = check.source();
    if source.file().extension().is_none_or(|extension| extension != lf::SOURCE) {
        return Err(Failure::wrong("--slice is for LF: it needs the text of a program (.lf)"));
    }
    let mut whole = lf::open(source)?;
    let assertions = lf::slice(&mut whole, &Part::Assertions { lines: &[] })?;
    let (properties, formulas) = (whole.program.property_names(), check.formulas());
    let mut runs = lf::slice(&mut whole, &Part::Runs { properties, formulas })?;
    check.prepare(&mut whole)?;
    runs.add_temporal(formulas, &[])?;
    if !check.is_quiet() {
        whole.print_warnings();
    }
    let control = Arc::new(Control::default());
    interrupt::install(&control);
    let (results, remarks) = results(check, &whole, &assertions, &runs, &control)?;
    remarks.into_iter().for_each(|remark| whole.program.remark(remark));
    let exit = exit::of_results(&results);
    check::print(check, &whole, results, exit);
    Ok(exit)
}

fn results(
    check: &Check,
    whole: &Input<Loaded>,
    assertions: &Input<Loaded>,
    runs: &Input<Loaded>,
    control: &Arc<Control>,
) -> Result<(Vec<PropertyResult>, Vec<String>), Failure> {
    let properties = whole.program.temporal();
    let chosen = check.chosen(&properties, &whole.program.unchecked())?;
    let (mut results, mut remarks) = (Vec::new(), Vec::new());
    if chosen.safety {
        results.push(match check::safety_of_slice(check, assertions, control)? {
            Some(result) => {
                remarks.extend(assertions.program.remarks());
                result
            }
            None => {
                tell(check, "safety");
                check::safety(check, whole, control)?
            }
        });
    }
    let of_runs = runs.program.temporal();
    for index in chosen.temporal {
        let traces = results.iter().map(|result: &PropertyResult| result.faults.len()).sum();
        let part = temporal::check(check, runs, (index, &of_runs[index]), control, traces)?;
        if part.verdict == Verdict::Holds {
            remarks.extend(runs.program.remarks());
            results.push(part);
            continue;
        }
        tell(check, properties[index].name);
        let property = (index, &properties[index]);
        results.push(temporal::check(check, whole, property, control, traces)?);
    }
    remarks.dedup();
    Ok((results, remarks))
}

fn tell(check: &Check, name: &str) {
    if !check.is_quiet() {
        output::note(&format!("the slice does not decide `{name}`: the whole program is checked"));
    }
}
