//! `#[boxed::future]`, an attribute for asynchronous functions that other crates call.
//!
//! The compiler translates the body of an `async fn` in each crate that awaits it, together with everything that the body
//! awaits itself. A crate in the outer layers then consists mostly of copies of the inner ones: they take most of the time
//! of a build, and a third of the program. A boxed future is translated once, where its function is.

use proc_macro::TokenStream;
use proc_macro2::Span;
use quote::quote;
use syn::{
    Error, ItemFn, Lifetime, ParenthesizedGenericArguments, Receiver, ReturnType, TypeImplTrait, TypeReference,
    parse_macro_input, parse_quote,
    visit_mut::{self, VisitMut},
};

/// Makes an `async fn` return its future in a box, to be used like before: `fn(…) -> Pin<Box<dyn Future + Send + '_>>`.
///
/// A generic function cannot have it: its callers choose what is compiled.
#[proc_macro_attribute]
pub fn future(_: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand(function).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(mut function: ItemFn) -> syn::Result<proc_macro2::TokenStream> {
    let signature = &mut function.sig;
    if signature.asyncness.take().is_none() {
        return Err(Error::new_spanned(signature.fn_token, "it is not `async`"));
    }
    if let Some(parameter) = signature.generics.type_params().next() {
        return Err(Error::new_spanned(parameter, "a generic function is compiled where it is called"));
    }
    let all = lifetime();
    let mut elided = Elided { is_generic: None };
    signature.inputs.iter_mut().for_each(|input| elided.visit_fn_arg_mut(input));
    let mut output = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => (**output).clone(),
    };
    elided.visit_type_mut(&mut output);
    if let Some(generic) = elided.is_generic {
        return Err(Error::new_spanned(generic, "a generic function is compiled where it is called"));
    }
    for named in signature.generics.lifetimes_mut() {
        named.bounds.push(all.clone());
    }
    signature.generics.params.insert(0, parse_quote!(#all));
    signature.output = parse_quote! {
        -> ::std::pin::Pin<::std::boxed::Box<dyn ::std::future::Future<Output = #output> + ::std::marker::Send + #all>>
    };
    let (attributes, visibility, signature, body) = (&function.attrs, &function.vis, &function.sig, &function.block);
    Ok(quote! {
        #(#attributes)*
        #visibility #signature {
            ::std::boxed::Box::pin(async move {
                // Tells the compiler the type of what the body returns.
                if let ::std::option::Option::Some(result) = ::std::option::Option::None::<#output> {
                    return result;
                }
                #body
            })
        }
    })
}

/// The lifetime of everything that a future borrows.
fn lifetime() -> Lifetime {
    Lifetime::new("'future", Span::call_site())
}

/// Names the lifetimes that a signature leaves out.
struct Elided {
    is_generic: Option<TypeImplTrait>,
}

impl VisitMut for Elided {
    fn visit_lifetime_mut(&mut self, found: &mut Lifetime) {
        if found.ident == "_" {
            *found = lifetime();
        }
    }

    fn visit_type_reference_mut(&mut self, found: &mut TypeReference) {
        found.lifetime.get_or_insert_with(lifetime);
        visit_mut::visit_type_reference_mut(self, found);
    }

    fn visit_receiver_mut(&mut self, found: &mut Receiver) {
        if let Some((_, of_self)) = &mut found.reference {
            let named = of_self.take().unwrap_or_else(lifetime);
            let mutability = found.mutability;
            *found = parse_quote!(&#named #mutability self);
        }
    }

    fn visit_type_impl_trait_mut(&mut self, found: &mut TypeImplTrait) {
        self.is_generic = Some(found.clone());
    }

    // The references of `Fn(&T)` are those of its calls.
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_whose_callers_choose_what_is_compiled_are_refused() {
        let refused = |function: ItemFn| expand(function).err().map(|error| error.to_string());
        let generic = Some("a generic function is compiled where it is called".to_owned());
        assert_eq!(
            refused(parse_quote!(
                async fn f<T>(_: T) {}
            )),
            generic
        );
        assert_eq!(
            refused(parse_quote!(
                async fn f(_: &mut impl FnMut(u8)) {}
            )),
            generic
        );
        assert_eq!(
            refused(parse_quote!(
                fn f() {}
            )),
            Some("it is not `async`".to_owned())
        );
        assert_eq!(
            refused(parse_quote!(
                async fn f(_: &dyn Fn(&u8)) {}
            )),
            None
        );
    }
}
